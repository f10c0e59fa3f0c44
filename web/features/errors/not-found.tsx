import Compass from 'lucide-react/icons/compass'
import { MessagePage } from '#web/components/message-page.tsx'
import { PageTitle } from '#web/components/page-head.tsx'
import { LinkButton } from '#web/ui/button.tsx'

export function NotFoundPage() {
  return (
    <MessagePage
      icon={Compass}
      title="Page not found"
      text="Nothing is at this address. It may have been moved or removed, or the link may be wrong."
    >
      <PageTitle title="Page not found" />
      <meta name="robots" content="noindex" />
      <div className="flex flex-wrap justify-center gap-2">
        <LinkButton to="/scripts" variant="primary">
          Browse scripts
        </LinkButton>
        <LinkButton to="/">Go to the front page</LinkButton>
      </div>
    </MessagePage>
  )
}
