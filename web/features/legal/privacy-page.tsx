import { PageHead } from '#web/components/page-head.tsx'
import { PrivacyText } from '#web/components/privacy-text.tsx'

export function Component() {
  return (
    <article className="mx-auto w-full max-w-3xl px-4 py-10">
      <PageHead
        title="Privacy Policy"
        description="What this site keeps about you, why, and what you can do about it."
        path="/privacy"
      />
      <h1 className="mb-4 text-2xl font-semibold">Privacy Policy</h1>
      <PrivacyText heading="h2" />
    </article>
  )
}
