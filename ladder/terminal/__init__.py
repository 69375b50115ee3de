"""Commands about bots, ladders, operators and the whole system, and how every table looks on a terminal."""
