print("08")
