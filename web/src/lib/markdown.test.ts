import { describe, expect, it } from 'vitest';
import { search, sectionOf, sections } from './markdown';

const page = `# Schiffskrieg

Fleets meet.

## R-4 Wishes

Both wish **secretly**.

## Targeting

<a id="R-10"></a> Each unit attacks *once*. <a id="R-11"></a>

| die | result |
|---|---|
| 6 | hit |
`;

describe('rules pages', () => {
  const list = sections(page);

  it('are cut at their headings', () => {
    expect(list.map((section) => [section.id, section.level])).toEqual([
      ['schiffskrieg', 1],
      ['R-4', 2],
      ['targeting', 2],
    ]);
    expect(list[1]!.html).toContain('<strong>secretly</strong>');
    expect(list[2]!.html).toContain('<table>');
  });

  it('address every rule', () => {
    expect(sectionOf(list, 'R-4')?.title).toBe('R-4 Wishes');
    expect(sectionOf(list, 'R-11')?.id).toBe('targeting');
    expect(sectionOf(list, 'targeting')?.id).toBe('targeting');
    expect(sectionOf(list, 'R-99')).toBeUndefined();
    expect(list[2]!.html).toContain('id="rule-R-10"');
  });

  it('are searched by words and by rule', () => {
    expect(search(list, 'attacks ONCE').map((section) => section.id)).toEqual(['targeting']);
    expect(search(list, 'r-10').map((section) => section.id)).toEqual(['targeting']);
    expect(search(list, 'hit wish')).toEqual([]);
  });

  it('obey no HTML and no foreign link', () => {
    const html = sections(
      '# x\n<script>alert(1)</script> <img src=x onerror=alert(1)> [a](javascript:alert(1)) [b](https://example.com) <a id="x" onclick="y"></a> [c](#/rules/x)',
    )[0]!.html;
    expect(html).not.toMatch(/<script|<img|href="javascript|href="https|<a id/);
    expect(html).toContain('href="#/rules/x"');
  });

  it('number headings that are alike and keep what stands before the first', () => {
    expect(sections('intro\n\n# A\n\n# A\n').map((section) => section.id)).toEqual(['top', 'a', 'a-2']);
    expect(sections('')).toEqual([]);
  });
});
