import { useRootData } from '#web/lib/root-data.ts'

/** The logo that admins chose, or the gate of a yard, made of two brackets. */
export function Logo({ className }: { className: string }) {
  const { logo } = useRootData().site
  if (logo) return <img src={logo} alt="" width={32} height={32} className={`object-contain ${className}`} />
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent-strong" />
      <path
        d="M12 9 6.5 16l5.5 7M20 9l5.5 7-5.5 7"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="m17.6 8-3.2 16" className="stroke-on-accent" opacity=".75" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  )
}
