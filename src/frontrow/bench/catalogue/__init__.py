"""A large catalogue to search in: as many events as asked for, in as many cities, the same each time.

Cities and the works of repertoire.tsv are real or fixed, so that searches for them have a known answer; all around them
is invented by chance from a fixed seed. What is on where is in season.py, what is put on in works.py, how it gets into
a database in loading.py.
"""
