import { useRootData } from '#web/lib/root-data.ts'
import { Prose } from '#web/ui/prose.tsx'

/** Its headings stand below the page's or the dialog's own. */
export function TermsText({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const { site } = useRootData()
  return (
    <Prose>
      <p>By using {site.name} you agree to these terms. If you do not agree with them, please do not use the site.</p>
      <Heading>Age</Heading>
      <p>You have to be at least 18 years old to use this site, with or without an account.</p>
      <Heading>What you may upload</Heading>
      <p>Upload what you made yourself or are allowed to share. In particular:</p>
      <ul>
        <li>No plagiarism: do not pass off the work of others as yours.</li>
        <li>No duplicates: one page for each script, kept up to date instead of uploaded again.</li>
        <li>Nothing abusive, and nothing that harasses or endangers anybody.</li>
        <li>Nothing illegal, and nothing that helps to break the law.</li>
        <li>Nothing misleading: title, description, tags and pictures say what the script really does.</li>
        <li>Nothing malicious: no token loggers, back doors or hidden downloads.</li>
        <li>No content that is not safe for work, in scripts, pictures, profiles or reviews.</li>
      </ul>
      <Heading>Data that your script collects</Heading>
      <p>
        If your script logs any data of the people who run it, say so in its description: which data, where it goes and
        what it is for. A script that collects data without saying so is removed.
      </p>
      <Heading>Removal</Heading>
      <p>
        We may remove any content and limit or close any account at any time, above all for breaking these terms. Who is
        concerned is told why. Authors may remove their own scripts whenever they like.
      </p>
      <Heading>Your work stays yours</Heading>
      <p>
        You keep your rights in what you upload. You allow us to store it, to show it and to offer it for download for
        as long as it is on the site.
      </p>
      <Heading>No warranty</Heading>
      <p>
        Scripts are written by the community and offered as they are. Read a script before you run it. You use scripts
        and this site at your own risk.
      </p>
      <Heading>Waiver of legal action</Heading>
      <p>
        As far as the law allows, you waive any legal action against {site.name}, its owners and its team over the site,
        its content or the use of scripts found here. Rights that the law does not let you give up stay with you.
      </p>
      <Heading>Changes</Heading>
      <p>
        These terms may change. Who goes on using the site after a change agrees to the new text, which stands here.
      </p>
    </Prose>
  )
}
