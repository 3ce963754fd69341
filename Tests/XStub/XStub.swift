// A server on loopback that answers as X's API does.
