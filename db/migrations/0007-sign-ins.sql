-- Sign-ins on their way. What a browser or an address carries is kept as its SHA-256 only.

-- Begun, and not yet come back from Discord: the state, and the cookie of the browser that it belongs to.
create table sign_ins (
  state_hash bytea primary key check (octet_length(state_hash) = 32),
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  begun_at timestamptz not null default now()
);
create index sign_ins_age on sign_ins (begun_at);

-- The token that stands in the address of the page to which the sign-in returns. Its first use takes the row away.
create table handoffs (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  member_id integer not null references members (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index handoffs_by_member on handoffs (member_id);

-- Whom a ban kept out in which browser, so that this browser alone is told why.
create table refused_sign_ins (
  browser_hash bytea primary key check (octet_length(browser_hash) = 32),
  member_id integer not null references members (id) on delete cascade,
  refused_at timestamptz not null default now()
);
create index refused_sign_ins_by_member on refused_sign_ins (member_id);
