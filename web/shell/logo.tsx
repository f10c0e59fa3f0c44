/** The gate of a yard, made of two brackets. */
export function Logo({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect width="32" height="32" rx="8" fill="#7c3aed" />
      <path
        d="M12 9 6.5 16l5.5 7M20 9l5.5 7-5.5 7"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="m17.6 8-3.2 16" stroke="#d8c7ff" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  )
}
