import FileQuestion from 'lucide-react/icons/file-question-mark'
import { MessagePage } from '#web/components/message-page.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { LinkButton } from '#web/ui/button.tsx'

const text = 'This script does not exist, or it is no longer public.'

export function ScriptNotFound() {
  return (
    <>
      <PageHead title="Script Not Found" description={text} path="/scripts" isListed={false} />
      <MessagePage icon={FileQuestion} title="Script Not Found" text={text}>
        <LinkButton to="/scripts" variant="primary">
          Back to scripts
        </LinkButton>
      </MessagePage>
    </>
  )
}
