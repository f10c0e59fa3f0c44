import { useRootData } from '#web/lib/root-data.ts'
import { Prose } from '#web/ui/prose.tsx'

/** The default text of the page and of the dialog in the footer, whose headings differ in level. */
export function TermsText({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const { site } = useRootData()
  return (
    <Prose>
      <p>By using {site.name} you agree to these terms. If you do not agree with them, please do not use the site.</p>
      <Heading>Age</Heading>
      <p>You must be at least 18 years old to use this site, with or without an account.</p>
      <Heading>What you may upload</Heading>
      <p>Upload only what you made yourself or are allowed to share. In particular:</p>
      <ul>
        <li>No plagiarism: do not present other people&apos;s work as your own.</li>
        <li>No duplicates: one page per script, updated instead of uploaded again.</li>
        <li>Nothing abusive, and nothing that harasses or endangers anyone.</li>
        <li>Nothing illegal, and nothing that helps to break the law.</li>
        <li>Nothing misleading: title, description, tags and images show what the script really does.</li>
        <li>Nothing malicious: no token loggers, back doors or hidden downloads.</li>
        <li>Nothing that is not safe for work, in scripts, images, profiles or reviews.</li>
      </ul>
      <Heading>Data that your script collects</Heading>
      <p>
        If your script logs any data about the people who run it, say so in its description: which data, where it goes
        and what it is for. Scripts that collect data without saying so are removed.
      </p>
      <Heading>Removal</Heading>
      <p>
        We may remove any content and limit or close any account at any time, especially for breaking these terms.
        We&apos;ll tell you why. Authors may remove their own scripts at any time.
      </p>
      <Heading>Your work stays yours</Heading>
      <p>
        You keep your rights in what you upload. You allow us to store it, to show it and to offer it for download for
        as long as it is on the site.
      </p>
      <Heading>No warranty</Heading>
      <p>
        Scripts are written by the community and provided as is. Read a script before you run it. You use scripts and
        this site at your own risk.
      </p>
      <Heading>Waiver of legal action</Heading>
      <p>
        As far as the law allows, you waive any legal action against {site.name}, its owners and its team over the site,
        its content or the use of scripts found here. You keep the rights that the law does not let you give up.
      </p>
      <Heading>Changes</Heading>
      <p>These terms may change. By continuing to use the site you accept the new terms.</p>
    </Prose>
  )
}
