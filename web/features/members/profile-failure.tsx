import CloudOff from 'lucide-react/icons/cloud-off'
import { useRevalidator } from 'react-router'
import { MessagePage } from '#web/components/message-page.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'

const title = 'Failed to load user profile'
const text = 'The site could not be reached, or something went wrong there. Try again in a moment.'

export function ProfileFailure() {
  const { revalidate, state } = useRevalidator()
  return (
    <MessagePage icon={CloudOff} title={title} text={text}>
      <PageHead title={title} description={text} path="/" isListed={false} />
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" disabled={state === 'loading'} onClick={() => void revalidate()}>
          Try again
        </Button>
        <LinkButton to="/">Go Back Home</LinkButton>
      </div>
    </MessagePage>
  )
}
