create table scripts (
  id integer generated always as identity primary key,
  author_id integer not null references members (id) on delete cascade,
  title text not null check (char_length(title) between 1 and 100),
  -- The title made comparable once: NFKD, lower case, no combining marks; compared by code point.
  title_key text collate "C" not null,
  description text not null check (char_length(description) between 1 and 5000),
  version text not null default '1.0.0' check (char_length(version) between 1 and 20),
  -- The number of the version that is shown; its row holds the code.
  current_version integer not null default 1,
  file_size integer not null check (file_size between 1 and 1048576),
  image text references media (hash),
  has_key_system boolean not null default false,
  key_system_url text,
  is_universal boolean not null default true,
  game_id text check (game_id ~ '^[0-9]{1,20}$'),
  is_client_side boolean not null default true,
  is_free boolean not null default true,
  is_featured boolean not null default false,
  is_verified boolean not null default false,
  is_public boolean not null default true,
  is_mobile_compatible boolean not null default true,
  is_working boolean not null default true,
  showcase_date timestamptz,
  showcase_video_url text,
  showcase_notes text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint key_system_url_needs_key_system check (key_system_url is null or has_key_system),
  constraint game_id_needs_one_game check (game_id is null or not is_universal)
);
create index scripts_created on scripts (created_at desc, id desc) where is_public;
create index scripts_title on scripts (title_key, id) where is_public;
create index scripts_showcased on scripts (showcase_date desc, id desc) where showcase_date is not null;
create index scripts_author on scripts (author_id, created_at desc, id desc);
create index scripts_image on scripts (image) where image is not null;

create table script_versions (
  script_id integer not null references scripts (id) on delete cascade,
  number integer not null check (number > 0),
  version text not null,
  content text not null check (octet_length(content) between 1 and 1048576),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null,
  changelog text,
  created_at timestamptz not null default now(),
  primary key (script_id, number)
);
alter table scripts add constraint scripts_current_version
  foreign key (id, current_version) references script_versions (script_id, number) deferrable initially deferred;

create table tags (
  id integer generated always as identity primary key,
  name text collate "C" not null unique check (char_length(name) between 1 and 30),
  color text not null check (color ~ '^#[0-9a-f]{6}$')
);

create table script_tags (
  script_id integer not null references scripts (id) on delete cascade,
  tag_id integer not null references tags (id),
  position smallint not null,
  primary key (script_id, tag_id)
);
create index script_tags_by_tag on script_tags (tag_id, script_id);

-- Counters, apart from the wide rows and without an index on them: an update touches one small page.
create table script_stats (
  script_id integer primary key references scripts (id) on delete cascade,
  view_count integer not null default 0 check (view_count >= 0),
  download_count integer not null default 0 check (download_count >= 0),
  one_star integer not null default 0 check (one_star >= 0),
  two_star integer not null default 0 check (two_star >= 0),
  three_star integer not null default 0 check (three_star >= 0),
  four_star integer not null default 0 check (four_star >= 0),
  five_star integer not null default 0 check (five_star >= 0),
  rating_count integer not null generated always as (one_star + two_star + three_star + four_star + five_star) stored,
  rating_average double precision not null generated always as (
    case when one_star + two_star + three_star + four_star + five_star = 0 then 0
    else (one_star + 2 * two_star + 3 * three_star + 4 * four_star + 5 * five_star)::double precision
      / (one_star + two_star + three_star + four_star + five_star) end
  ) stored
) with (fillfactor = 70);

-- The words of a script, made by the same code that reads a search, so that both agree on what a word is.
create table script_search (
  script_id integer primary key references scripts (id) on delete cascade,
  document tsvector not null
);
create index script_search_document on script_search using gin (document);

-- Who has been counted lately. The visitor is a keyed hash; rows go after a day.
create table script_visits (
  script_id integer not null references scripts (id) on delete cascade,
  kind text not null check (kind in ('view', 'download')),
  visitor bytea not null,
  counted_at timestamptz not null default now(),
  primary key (script_id, kind, visitor)
);
create index script_visits_age on script_visits (counted_at);
