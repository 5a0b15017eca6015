-- A photo exists from the commit of its upload to the commit of its deletion.
-- blob and thumb are keys of the blob store; a key that stands here keeps its bytes from the reclaimer.
CREATE TABLE photo (
    id        TEXT    NOT NULL PRIMARY KEY,
    name      TEXT    NOT NULL,
    kind      TEXT    NOT NULL CHECK (kind IN ('JPEG', 'PNG')),
    width     INTEGER NOT NULL,                 -- pixels, as shown upright
    height    INTEGER NOT NULL,
    bytes     INTEGER NOT NULL,
    blob      TEXT    NOT NULL UNIQUE,
    state     TEXT    NOT NULL CHECK (state IN ('processing', 'ready', 'failed')),
    thumb     TEXT    UNIQUE,                   -- set if and only if ready
    reason    TEXT,                             -- set if and only if failed
    added_at  INTEGER NOT NULL,                 -- milliseconds since 1970
    CHECK ((state = 'ready') = (thumb IS NOT NULL)),
    CHECK ((state = 'failed') = (reason IS NOT NULL))
) STRICT;

CREATE INDEX photo_by_age ON photo (added_at, id);
