-- One rating per member and script. A rating outlives its member's account, without the name.
create table ratings (
  id integer generated always as identity primary key,
  script_id integer not null references scripts (id) on delete cascade,
  member_id integer references members (id) on delete set null,
  rating smallint not null check (rating between 1 and 5),
  review text check (char_length(review) <= 2000),
  reply text check (char_length(reply) <= 2000),
  replied_at timestamptz,
  created_at timestamptz not null default now(),
  unique (script_id, member_id)
);
create index ratings_newest on ratings (script_id, created_at desc, id desc);
create index ratings_by_member on ratings (member_id) where member_id is not null;
