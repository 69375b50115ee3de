"""The wire format, generated from `proto/lastcard/v1`; never edited by hand."""
