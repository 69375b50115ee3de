"""What pages, API, servicers and exporter show, read from the ledger and kept for a while."""
