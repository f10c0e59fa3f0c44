import { Dialog } from '../../ui/dialog.tsx'
import { PrivacyText } from '../privacy-text.tsx'
import { TermsText } from '../terms-text.tsx'

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
