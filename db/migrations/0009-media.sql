-- Since when nothing uses an image: from the moment it is kept or named by a form, until a sweep sees it used (null).
-- A day later it goes, unless something uses it then.
alter table media rename column last_named_at to unused_since;
alter table media alter column unused_since drop not null;
create index media_unused on media (unused_since) where unused_since is not null;
