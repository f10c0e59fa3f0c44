import PartyPopper from 'lucide-react/icons/party-popper'

/** What the one who looks has won. It came with their own answer and stands in no page. */
export function OwnPrize({ prize }: { prize: string | null }) {
  return (
    <div className="rounded-md border border-accent bg-accent-soft p-3">
      <p className="flex items-center gap-2 font-semibold text-accent">
        <PartyPopper aria-hidden className="size-4" />
        You won!
      </p>
      {prize ? (
        <p className="mt-1 font-mono text-sm whitespace-pre-wrap wrap-anywhere select-all">{prize}</p>
      ) : (
        <p className="mt-1">The team will get in touch with you.</p>
      )}
    </div>
  )
}
