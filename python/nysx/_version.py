"""The version of the package: that of the program in CMakeLists.txt (a test compares both)."""
VERSION = "0.2.0"
