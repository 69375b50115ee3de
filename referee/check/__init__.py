"""`lastcard bot check`: plays a bot against a referee that does everything a network may do to it.

`service` is that referee's door, `rounds` the games it deals, `behaviours` what a bot is looked at for, `exam` the way
through all of them, `subject` the bot's process.
"""
