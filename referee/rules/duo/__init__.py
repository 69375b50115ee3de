"""UNO Duo: preset `duo` (seed 001). Two seats, a draft instead of a deal, and a Reverse that takes its colour along."""
