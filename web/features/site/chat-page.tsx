import MessagesSquare from 'lucide-react/icons/messages-square'
import { MessagePage } from '#web/ui/message-page.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { LinkButton } from '#web/ui/button.tsx'

export function Component() {
  return (
    <MessagePage icon={MessagesSquare} title="No chat yet" text="There's no Discord server yet.">
      <PageHead title="Community chat" description="The community's chat on Discord." path="/discord" />
      <LinkButton to="/scripts" variant="primary">
        Browse scripts
      </LinkButton>
    </MessagePage>
  )
}
