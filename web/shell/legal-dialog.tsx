import { Dialog } from '#web/ui/dialog.tsx'
import { PrivacyText } from '#web/features/legal/privacy-page.tsx'
import { TermsText } from '#web/features/legal/terms-page.tsx'

export function LegalDialog({ which, onClose }: { which: 'privacy' | 'terms'; onClose: () => void }) {
  return which === 'privacy' ? (
    <Dialog title="Privacy Policy" onClose={onClose}>
      <PrivacyText heading="h3" />
    </Dialog>
  ) : (
    <Dialog title="Terms of Service" onClose={onClose}>
      <TermsText heading="h3" />
    </Dialog>
  )
}
