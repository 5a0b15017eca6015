INSERT INTO item (name) VALUES ('chair');
INSERT INTO item (name) VALUES (NULL);
