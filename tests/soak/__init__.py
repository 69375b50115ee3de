"""Long runs: `./dev soak NAME`."""
