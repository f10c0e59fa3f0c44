import Download from 'lucide-react/icons/download'
import { buttonClass } from '#web/ui/button.tsx'

/** A plain link to the attachment: the server counts it. */
export function DownloadLink({ id, className }: { id: number; className?: string }) {
  return (
    <a href={`/api/script-download?id=${id}`} download className={buttonClass('secondary', 'md', className)}>
      <Download aria-hidden className="size-4" />
      Download
    </a>
  )
}
