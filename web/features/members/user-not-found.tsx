import UserRoundX from 'lucide-react/icons/user-round-x'
import { MessagePage } from '#web/components/message-page.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { LinkButton } from '#web/ui/button.tsx'

const text = 'There is no member under this name, or the profile is no longer here.'

export function UserNotFound() {
  return (
    <MessagePage icon={UserRoundX} title="User Not Found" text={text}>
      <PageHead title="User Not Found" description={text} path="/" isListed={false} />
      <LinkButton to="/" variant="primary">
        Go Back Home
      </LinkButton>
    </MessagePage>
  )
}
