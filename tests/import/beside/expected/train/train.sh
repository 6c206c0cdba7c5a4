exec train --rate=1e-4
