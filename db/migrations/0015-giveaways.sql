-- What is given away, to how many, until when. The seed of the draw is secret until it is drawn; its hash is published
-- from the beginning. Prizes are sealed: without the site's key the database tells none.
create table giveaways (
  id integer generated always as identity primary key,
  title text not null check (char_length(title) between 1 and 100),
  description text not null default '' check (char_length(description) <= 5000),
  prize_type text not null check (prize_type in ('exec_key', 'executor_key', 'custom', 'other')),
  prize_description text not null default '' check (char_length(prize_description) <= 500),
  sealed_prizes bytea,
  entry_requirement text not null default 'login' check (entry_requirement in ('login', 'verified')),
  end_date timestamptz not null,
  max_entries integer check (max_entries > 0),
  -- Kept with the rows of giveaway_entries in one transaction.
  entry_count integer not null default 0 check (entry_count >= 0),
  winner_count integer not null default 1 check (winner_count between 1 and 50),
  is_active boolean not null default true,
  sealed_seed bytea not null,
  seed_sha256 text not null check (seed_sha256 ~ '^[0-9a-f]{64}$'),
  -- Known to everybody once the winners are drawn.
  seed text check (seed ~ '^[0-9a-f]{64}$'),
  drawn_at timestamptz,
  created_by integer references members (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint within_capacity check (entry_count <= max_entries),
  constraint seed_shown_when_drawn check ((seed is null) = (drawn_at is null))
);
create index giveaways_newest on giveaways (created_at desc, id desc);

-- One entry a member. It stays without a name when the account is deleted, so that a draw can be checked for ever.
create table giveaway_entries (
  id bigint generated always as identity primary key,
  giveaway_id integer not null references giveaways (id) on delete cascade,
  member_id integer references members (id) on delete set null,
  -- Was not in the draw, because its member was banned then or had left.
  is_excluded boolean not null default false,
  -- 1 for the first winner; null for everybody else.
  place smallint check (place > 0),
  sealed_prize bytea,
  created_at timestamptz not null default now(),
  unique (giveaway_id, member_id),
  unique (giveaway_id, place)
);
create index giveaway_entries_by_member on giveaway_entries (member_id) where member_id is not null;
create index giveaway_entries_in_order on giveaway_entries (giveaway_id, id);
