import { useRootData } from '#web/lib/root-data.ts'
import { Prose } from '#web/ui/prose.tsx'

/** Its headings stand below the page's or the dialog's own. */
export function PrivacyText({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const { site } = useRootData()
  return (
    <Prose>
      <p>
        This policy says what {site.name} keeps about you, why, for how long, and what you can do about it. If you only
        browse, that is very little.
      </p>
      <Heading>Logs</Heading>
      <p>
        Like every web server, ours notes each request: the time, the address that was asked for without its search
        terms, and how we answered. Logs help us to find faults and to stop abuse, and are deleted once they are not
        needed for that. To count a view or a download once, we keep a keyed fingerprint of your network address and
        browser for 24 hours; it does not lead back to you.
      </p>
      <Heading>What members give us</Heading>
      <p>
        You sign in with Discord. Discord tells us your account id, name, picture and e-mail address. We add what you
        publish yourself: your profile, scripts, ratings, reviews and entries in giveaways. Your e-mail address is
        hidden unless you show it. In your settings you choose what others see. We keep all of it for as long as you
        have your account.
      </p>
      <Heading>Cookies and local storage</Heading>
      <p>
        While you sign in, a short-lived cookie ties the sign-in to your browser. Afterwards your session and your
        choice of theme are kept in your browser&apos;s local storage. We need no other cookies of our own.
      </p>
      <Heading>Advertising partner</Heading>
      <p>
        An advertising partner may show advertisements on this site. Where that is so, the partner may use cookies or
        similar means to choose and count them, under its own privacy policy, and you are asked first where the law
        wants it. We hand no profile data, messages or e-mail addresses to advertisers.
      </p>
      <Heading>Your rights in California (CCPA)</Heading>
      <p>
        If you live in California, you may ask which personal information we collect and what we use it for, have it
        deleted, and tell us not to sell or share it. We do not sell personal information. Using these rights never
        makes your service worse.
      </p>
      <Heading>Your rights in Europe (GDPR)</Heading>
      <p>If the General Data Protection Regulation applies to you, you may</p>
      <ul>
        <li>see the data we hold about you and receive a copy in a common format;</li>
        <li>have it corrected or erased;</li>
        <li>restrict or object to how we use it;</li>
        <li>complain to the data protection authority where you live.</li>
      </ul>
      <p>
        Members can download all their data and delete their account in the settings. When an account is deleted, its
        sessions, e-mail address, profile, notifications, scripts and images go; its ratings stay without a name. A mute
        that is still running is kept until its end, under a code that does not tell who it is.
      </p>
      <Heading>Children</Heading>
      <p>
        This site is not for children. We do not knowingly collect data from anybody under 13. If you believe that a
        child has given us data, write to the site&apos;s team and we will remove it.
      </p>
      <Heading>Changes</Heading>
      <p>When this policy changes, the new text stands here. Larger changes are announced to members.</p>
    </Prose>
  )
}
