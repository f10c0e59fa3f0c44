-- Up to where changes have been deleted: who stopped reading before that has missed some.
create table catalogue_feed (
  is_only boolean primary key default true check (is_only),
  forgotten_to xid8 not null default '0'
);
insert into catalogue_feed default values;
