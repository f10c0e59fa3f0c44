-- One row for each game that a script was published for.
create table games (
  -- Number of the game in the sitemap and the audit log.
  id integer generated always as identity primary key,
  -- The game's number on Roblox, as authors entered it.
  game_id text not null unique check (game_id ~ '^[0-9]{1,20}$'),
  name text check (char_length(name) between 1 and 100),
  -- Authors can no longer change a name that a moderator chose.
  is_staff_name boolean not null default false,
  -- The words of the name, for suggestions.
  document tsvector check ((name is null) = (document is null))
);
comment on table games is 'Games that scripts are for. The name is null until an author or a moderator enters it.';
create index games_words on games using gin (document);
insert into games (game_id) select distinct game_id from scripts where game_id is not null;
create index scripts_game on scripts (game_id) where game_id is not null;

alter table scripts
  -- A public script that no list contains: it is found by its address only.
  add column is_unlisted boolean not null default false;
drop index scripts_visibility;
create index scripts_visibility on scripts (id) include (author_id, is_public, is_unlisted, updated_at, title_key);
