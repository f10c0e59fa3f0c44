import { demoAuthors } from '#demo/members/authors.ts'
import { demoReviewers } from '#demo/members/reviewers.ts'
import { demoStaff } from '#demo/members/staff.ts'
import type { DemoMember } from './types.ts'

export const demoMembers: DemoMember[] = [...demoStaff, ...demoAuthors, ...demoReviewers]
