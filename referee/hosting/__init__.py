"""Matches that this referee hosts: taken on, asked, logged, handed back."""
