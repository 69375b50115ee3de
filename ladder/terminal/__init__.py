"""Commands about bots, operators and the whole system, and how every table looks on a terminal."""
