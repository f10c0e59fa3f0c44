-- 'Trending now': what happened to a script lately, where what happened two days earlier counts half. A view weighs 1, a
-- download 3, a first rating of four or five stars 5. It is kept by forward decay (Cormode, Shkapenyuk, Srivastava and
-- Xu, "Forward decay: a practical time decay model for streaming systems", ICDE 2009): the logarithm to base 2 of the sum
-- of weight * 2 ^ ((time - start) / 2 days). All scripts fade alike, so the order holds at any later time and nothing has
-- to be touched as time passes; as a logarithm it never overflows. 0 is a script to which nothing happened yet.
alter table script_stats add column trend double precision not null default 0 check (trend >= 0);

create function trend_at(happened timestamptz) returns double precision language sql stable parallel safe
  return (extract(epoch from happened - timestamptz '2026-01-01 00:00:00+00') / (2 * 86400))::double precision;

-- A trend after something of that weight has happened now. Far apart, the smaller one is lost in rounding anyway.
create function add_trend(trend double precision, weight double precision) returns double precision
  language plpgsql stable parallel safe as $$
declare
  added double precision := greatest(trend_at(now()) + ln(weight) / ln(2::double precision), 0);
begin
  return greatest(trend, added)
    + ln(1 + exp(-least(abs(trend - added) * ln(2::double precision), 700))) / ln(2::double precision);
end $$;

-- The trend as if so much had happened evenly since a script was made.
create function even_trend(weight double precision, made timestamptz) returns double precision
  language plpgsql stable parallel safe as $$
declare
  days double precision := greatest(extract(epoch from now() - made) / 86400, 1);
begin
  if weight <= 0 then return 0; end if;
  return greatest(trend_at(now()) + ln(
    weight / days * 2 / ln(2::double precision) * (1 - exp(-least(days / 2 * ln(2::double precision), 700)))
  ) / ln(2::double precision), 0);
end $$;

update script_stats st set trend = even_trend(st.view_count + 3 * st.download_count, s.created_at)
from scripts s where s.id = st.script_id;

-- A member's rating moves the trend once a day at most, however often it is taken back and given again.
alter table script_visits drop constraint script_visits_kind_check;
alter table script_visits add constraint script_visits_kind_check check (kind in ('view', 'download', 'rating'));
