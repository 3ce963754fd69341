"""`python -m threadsite`"""

from threadsite import main

main()
