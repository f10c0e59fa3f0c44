import CloudOff from 'lucide-react/icons/cloud-off'
import FileCode2 from 'lucide-react/icons/file-code-corner'
import Link2 from 'lucide-react/icons/link-2'
import Lock from 'lucide-react/icons/lock'
import { useNavigation, useRevalidator } from '#web/router/router.tsx'
import type { Card } from '#contract/catalogue.ts'
import { FeedLink } from '#web/ui/feed-link.tsx'
import { ScriptGrid } from '#web/shared/cards/script-grid.tsx'
import { fullCount } from '#web/lib/numbers.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import type { FoundProfile } from './found-profile.ts'
import { displayNameOf, feedOf, profileUrl } from './profile-url.ts'

/** Its author made the script private or unlisted, or moderators hid it. */
function privateBadge({ is_public, is_unlisted }: Card) {
  if (!is_public) return [{ label: 'Not public', icon: Lock }]
  return is_unlisted ? [{ label: 'Unlisted', icon: Link2 }] : []
}

interface Props {
  loaded: FoundProfile
  isOwner: boolean
}

/** The most downloaded scripts on the overview, or a page of all scripts, newest first. */
export function ProfileScripts(props: Props) {
  const isOverview = props.loaded.location.tab === 'overview'
  return (
    <section aria-labelledby="scripts" className="flex flex-col gap-3">
      <h2 id="scripts" className={isOverview ? 'text-base font-semibold' : 'sr-only'}>
        {isOverview ? 'Top scripts' : 'Scripts'}
      </h2>
      <Scripts {...props} />
    </section>
  )
}

function Scripts({ loaded, isOwner }: Props) {
  const isPending = useNavigation().state === 'loading'
  const { profile, scripts: list, location } = loaded
  if (!list) return <LoadError />
  const { scripts, pagination } = list
  if (pagination.total === 0) return <NoScripts name={displayNameOf(profile)} isOwner={isOwner} />
  return (
    <div className="flex flex-col gap-6">
      {scripts.length > 0 ? (
        <ScriptGrid cards={scripts} isPending={isPending} badges={privateBadge} />
      ) : (
        <EmptyState icon={FileCode2} title="This page doesn't exist" text="The list has fewer pages.">
          <LinkButton to={profileUrl(profile.slug, { tab: 'scripts', page: 1 })}>Show the first page</LinkButton>
        </EmptyState>
      )}
      {location.tab === 'scripts' && (
        <Pagination
          page={pagination.page}
          pages={pagination.pages}
          hrefOf={(page) => profileUrl(profile.slug, { tab: 'scripts', page })}
        />
      )}
      {location.tab === 'scripts' && !profile.is_hidden && (
        <div className="flex justify-end">
          <FeedLink path={feedOf(profile)} label={`scripts by ${displayNameOf(profile)}`} />
        </div>
      )}
      {location.tab === 'overview' && pagination.total > scripts.length && (
        <LinkButton to={profileUrl(profile.slug, { tab: 'scripts', page: 1 })} className="self-center">
          Show all {fullCount(pagination.total)} scripts
        </LinkButton>
      )}
    </div>
  )
}

function NoScripts({ name, isOwner }: { name: string; isOwner: boolean }) {
  if (!isOwner) {
    return <EmptyState icon={FileCode2} title="No scripts yet" text={`${name} hasn't published any scripts.`} />
  }
  return (
    <EmptyState icon={FileCode2} title="No scripts yet" text="Scripts you publish appear here.">
      <LinkButton to="/upload" variant="primary">
        Upload script
      </LinkButton>
    </EmptyState>
  )
}

function LoadError() {
  const { revalidate, state } = useRevalidator()
  return (
    <EmptyState icon={CloudOff} title="Couldn't load scripts" text="Try again in a moment.">
      <Button disabled={state === 'loading'} onClick={() => void revalidate()}>
        Try again
      </Button>
    </EmptyState>
  )
}
