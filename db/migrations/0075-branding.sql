-- What admins changed about the look of the site. Null is the default; without a row, everything is.
create table branding (
  id smallint primary key default 1 check (id = 1),
  -- Of the whole row, so that two admins do not overwrite each other's changes.
  version integer not null default 0,
  name text check (length(name) between 1 and 60),
  tagline text check (length(tagline) between 1 and 160),
  -- As #rrggbb, for each theme.
  accent_dark text check (accent_dark ~ '^#[0-9a-f]{6}$'),
  accent_light text check (accent_light ~ '^#[0-9a-f]{6}$'),
  chat_url text check (length(chat_url) between 1 and 2048),
  links jsonb not null default '[]',
  -- In Markdown.
  rules text check (length(rules) between 1 and 20000),
  terms text check (length(terms) between 1 and 20000),
  privacy text check (length(privacy) between 1 and 20000),
  -- PNG of 512x512 pixels.
  logo bytea check (length(logo) between 1 and 2000000)
);
