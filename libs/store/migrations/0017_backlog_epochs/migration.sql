-- A second migration that starts meanwhile waits for no longer than this, and is tried again.
SET LOCAL lock_timeout = '2s';
-- Every owner of a backlog has an epoch that no other owner of any backlog ever had. Before, a backlog
-- that was made anew began with the epoch of the one that had ended, and whoever had owned that one
-- could end the new one. The start is beyond every epoch that was counted up from 1.
CREATE SEQUENCE backlog_epochs START WITH 1000000000 CACHE 1;
ALTER TABLE backlogs ALTER COLUMN epoch SET DEFAULT nextval('backlog_epochs');
