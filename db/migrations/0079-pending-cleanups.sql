-- compatible: yes

-- Rows of earlier versions that the rules of today do not allow, to be changed by the next start: the rules are code, which has no
-- copy in SQL.
create table pending_cleanups (
  name text primary key check (name <> '')
);
insert into pending_cleanups (name) values ('texts');
