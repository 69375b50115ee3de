"""UNO Spin: preset `spin` (seed 004). A swirled card makes the next seat spin the wheel instead of taking a turn."""
