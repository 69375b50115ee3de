"""UNO: presets `classic` (seed 003), `uno` (seed 002), `official` (the sheet). Spin and Duo build on it."""
