-- Images that members gave, under the SHA-256 of what they sent. The files are in the media store.
create table media (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  created_at timestamptz not null default now(),
  last_named_at timestamptz not null default now()
);

create table members (
  id integer generated always as identity primary key,
  discord_id text not null unique check (discord_id ~ '^[0-9]{1,20}$'),
  username text not null check (username <> ''),
  slug text not null unique check (slug <> ''),
  discriminator text not null default '0',
  avatar text,
  email text,
  email_verified boolean not null default false,
  display_name text,
  bio text,
  location text,
  website text,
  social_links jsonb not null default '{}' check (jsonb_typeof(social_links) = 'object'),
  profile_image text references media (hash),
  banner_image text references media (hash),
  is_private boolean not null default false,
  show_email boolean not null default false,
  show_location boolean not null default true,
  show_website boolean not null default true,
  show_social_links boolean not null default true,
  show_script_stats boolean not null default true,
  show_recent_activity boolean not null default true,
  is_admin boolean not null default false,
  is_moderator boolean not null default false,
  title text,
  custom_badge text,
  badge_color text not null default '#6366f1' check (badge_color ~ '^#[0-9a-f]{6}$'),
  notes text,
  moderator_roles text[] not null default '{}',
  custom_roles text[] not null default '{}',
  subscription_type text not null default 'free' check (subscription_type in ('free', 'premium')),
  -- Standing. A sanction without an end is 'infinity'; one whose time has passed is over.
  banned_until timestamptz,
  muted_until timestamptz,
  -- The sum of the reputation ledger, kept with it in one transaction.
  reputation integer not null default 0,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz
);
create index members_username on members (lower(username));
create index members_banned on members (banned_until) where banned_until is not null;
create index members_profile_image on members (profile_image) where profile_image is not null;
create index members_banner_image on members (banner_image) where banner_image is not null;
