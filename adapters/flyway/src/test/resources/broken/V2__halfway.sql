CREATE TABLE part (item INTEGER NOT NULL REFERENCES item (id));
INSERT INTO item (name) VALUES ('lamp');
