-- Comments and questions under scripts. Threads have one level: the parent of a reply is never a reply itself.
create table comments (
  id integer generated always as identity primary key,
  script_id integer not null references scripts (id) on delete cascade,
  parent_id integer references comments (id) on delete cascade,
  -- Null if the account was deleted, and for a deleted comment that has replies.
  author_id integer references members (id) on delete set null,
  text text check (char_length(text) between 1 and 10000),
  -- Members that the text mentions. No foreign keys: an id without a member is nobody.
  mentions integer[] not null default '{}',
  helpful_count integer not null default 0 check (helpful_count >= 0),
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz,
  hidden_at timestamptz,
  -- Hidden until a moderator has seen it, because a new member wrote a link.
  is_pending boolean not null default false,
  check ((text is null) = (deleted_at is not null)),
  check (not is_pending or hidden_at is not null)
);
create index comments_threads on comments (script_id, id desc) where parent_id is null;
create index comments_replies on comments (parent_id, id) where parent_id is not null;
create index comments_by_author on comments (author_id, id desc) where author_id is not null;

-- The time between two comments of a member under a script, chosen by its author.
create table comment_settings (
  script_id integer primary key references scripts (id) on delete cascade,
  slow_seconds integer not null check (slow_seconds between 0 and 3600)
);

-- Members who found a comment or a review helpful.
create table comment_votes (
  comment_id integer not null references comments (id) on delete cascade,
  member_id integer not null references members (id) on delete cascade,
  primary key (comment_id, member_id)
);
create index comment_votes_by_member on comment_votes (member_id);
create table rating_votes (
  rating_id integer not null references ratings (id) on delete cascade,
  member_id integer not null references members (id) on delete cascade,
  primary key (rating_id, member_id)
);
create index rating_votes_by_member on rating_votes (member_id);
alter table ratings add column helpful_count integer not null default 0 check (helpful_count >= 0);

create function count_comment_votes() returns trigger language plpgsql as $$
begin
  update comments c set helpful_count = c.helpful_count + v.votes * (case tg_op when 'INSERT' then 1 else -1 end)
    from (select comment_id, count(*)::int as votes from changed group by comment_id) v where c.id = v.comment_id;
  return null;
end $$;
create function count_rating_votes() returns trigger language plpgsql as $$
begin
  update ratings r set helpful_count = r.helpful_count + v.votes * (case tg_op when 'INSERT' then 1 else -1 end)
    from (select rating_id, count(*)::int as votes from changed group by rating_id) v where r.id = v.rating_id;
  return null;
end $$;
create trigger comment_votes_inserted after insert on comment_votes referencing new table as changed for each statement execute function count_comment_votes();
create trigger comment_votes_deleted after delete on comment_votes referencing old table as changed for each statement execute function count_comment_votes();
create trigger rating_votes_inserted after insert on rating_votes referencing new table as changed for each statement execute function count_rating_votes();
create trigger rating_votes_deleted after delete on rating_votes referencing old table as changed for each statement execute function count_rating_votes();

-- Cached pages show comments.
create trigger comments_inserted after insert on comments referencing new table as changed for each statement execute function note_script_parts();
create trigger comments_updated after update on comments referencing new table as changed for each statement execute function note_script_parts();
create trigger comments_deleted after delete on comments referencing old table as changed for each statement execute function note_script_parts();

-- Comments can be reported. A pending comment has a case without reports.
alter table report_cases drop constraint report_cases_subject_type_check;
alter table report_cases add constraint report_cases_subject_type_check
  check (subject_type in ('script', 'review', 'profile', 'comment'));
