rate = "1e-4"
print(rate)
