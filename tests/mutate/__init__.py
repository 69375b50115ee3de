"""Mutation testing of the rules: `./dev mutate`."""
