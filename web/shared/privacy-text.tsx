import { useRootData } from '#web/lib/root-data.ts'
import { Prose } from '#web/ui/prose.tsx'

interface Props {
  heading: 'h2' | 'h3'
}

/** The default text of the page and of the dialog in the footer, whose headings differ in level. */
export function PrivacyText({ heading: Heading }: Props) {
  const { site } = useRootData()
  return (
    <Prose>
      <p>
        This policy explains what {site.name} stores about you, why, for how long, and what you can do about it. If you
        only browse, that is very little.
      </p>
      <Heading>Logs</Heading>
      <p>
        Like every web server, ours logs each request: the time, the URL without search terms, and our response. We use
        logs to find errors and stop abuse, and delete them when they are no longer needed for that. Events that matter
        for security, such as sign-ins, rejected requests, data exports and account deletions, are logged with your IP
        address (of IPv6, the first half) and the number of your account. To count a view or a download once, we store a
        keyed hash of your IP address and browser for 24 hours. It does not identify you.
      </p>
      <WhatMembersGive heading={Heading} />
      <Heading>Cookies and local storage</Heading>
      <p>
        When you sign in, a cookie ties the sign-in to your browser for up to 31 days. Your session, your theme, how you
        view lists and your recent searches are stored in your browser&apos;s local storage. Signing out deletes the
        session and the searches. Your browser also stores the last public pages that you read, so that you can read
        them without a connection. We set no other cookies ourselves. With each session we store the names of your
        browser and operating system and when it was last used, so that you can recognize it in your settings and sign
        out of it.
      </p>
      <Heading>Advertising partner</Heading>
      <p>
        An advertising partner may show ads on this site. If so, the partner may use cookies or similar technology to
        select and count them, under its own privacy policy, and you are asked first where the law requires it. We share
        no profile data, messages or email addresses with advertisers.
      </p>
      <Rights heading={Heading} />
      <OnePersonOneVote heading={Heading} />
      <Heading>Children</Heading>
      <p>
        This site is not for children. We do not knowingly collect data from children under 13. If you believe that a
        child has given us data, contact the site&apos;s team and we will remove it.
      </p>
      <Heading>Changes</Heading>
      <p>We&apos;ll post changes to this policy here and announce larger ones to members.</p>
    </Prose>
  )
}

function WhatMembersGive({ heading: Heading }: Props) {
  const { site } = useRootData()
  return (
    <>
      <Heading>What members give us</Heading>
      <p>
        You sign in with Discord. Discord shares your account ID, name, avatar and email address with us. We add what
        you publish yourself: your profile, scripts, ratings, reviews, comments and giveaway entries. Your email address
        is hidden unless you show it. In your settings you choose what others see. Your favorites, whom you follow, what
        you watch and whom you block are visible only to you. We store all of it for as long as you have an account.
      </p>
      <p>
        Authors see how often their scripts are viewed and downloaded per day, and which sites link to them. For that we
        count the host of the linking page, such as example.com, without the rest of its URL and without anything about
        the visitor. These counts are deleted after 400 days.
      </p>
      {site.has_email && (
        <p>
          If you enter an email address in your settings, we send what you choose there to it, and nothing else. We
          store it until you remove it, a log of the emails for 30 days, and, to recognize new devices, keyed hashes of
          the browsers and networks from which you signed in, for 180 days after the last time. Our emails have no
          images and do not track whether you read them.
        </p>
      )}
    </>
  )
}

function Rights({ heading: Heading }: Props) {
  return (
    <>
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
        Members can download all their data and delete their account in the settings. Deleting an account deletes its
        sessions, email address, profile, notifications, scripts, images and its entries in giveaways that are not drawn
        yet. Its ratings stay without a name.
      </p>
    </>
  )
}

function OnePersonOneVote({ heading: Heading }: Props) {
  return (
    <>
      <Heading>One person, one vote</Heading>
      <p>
        So that nobody votes twice or escapes a ban or a limit by deleting their account, we keep a keyed hash of your
        Discord ID with your votes, reputation points, reports, entries in drawn giveaways, sanctions, and our
        team&apos;s notes on them. We use the hash for nothing else, and nobody can read your ID from it. If you return,
        these records are yours again. If you don&apos;t, we erase the hash 24 months after you deleted your account, or
        24 months after your last sanction ended if that is later, and after a day if there are no such records. For a
        day we also keep a keyed hash of each email address that we sent a confirmation to, so that nobody receives
        many.
      </p>
    </>
  )
}
