//! What `#[serde(…)]`, `#[shape(…)]` and doc comments say.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta, Result, Token};

/// What serde is told about a type, a variant or a field, as far as it changes the JSON form.
#[derive(Default)]
pub struct Serde {
    pub rename: Option<String>,
    pub rename_all: Option<String>,
    pub tag: Option<String>,
    pub flatten: bool,
    pub skip: bool,
    /// Whether it is sometimes not written.
    pub skip_if: bool,
    pub transparent: bool,
    pub untagged: bool,
}

impl Serde {
    pub fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut found = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            attribute.parse_nested_meta(|meta| {
                let text = |meta: &syn::meta::ParseNestedMeta<'_>| -> Result<String> {
                    Ok(meta.value()?.parse::<LitStr>()?.value())
                };
                match meta.path.get_ident().map(ToString::to_string).as_deref() {
                    Some("rename") => found.rename = Some(text(&meta)?),
                    Some("rename_all") => found.rename_all = Some(text(&meta)?),
                    Some("tag") => found.tag = Some(text(&meta)?),
                    Some("flatten") => found.flatten = true,
                    Some("skip") => found.skip = true,
                    Some("transparent") => found.transparent = true,
                    Some("untagged") => found.untagged = true,
                    Some("skip_serializing_if") => {
                        text(&meta)?;
                        found.skip_if = true;
                    }
                    _ if meta.input.peek(Token![=]) => drop(meta.value()?.parse::<Expr>()?),
                    _ => {}
                }
                Ok(())
            })?;
        }
        Ok(found)
    }
}

/// What `#[shape(…)]` says.
#[derive(Default)]
pub struct Says {
    pub range: Option<TokenStream>,
    pub items: Option<TokenStream>,
    pub chars: Option<TokenStream>,
    pub default: Option<TokenStream>,
    pub unit: Option<TokenStream>,
    pub with: Option<TokenStream>,
    pub null: bool,
    pub result: bool,
}

impl Says {
    pub fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut found = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("shape")) {
            attribute.parse_args_with(|input: ParseStream<'_>| found.parse(input))?;
        }
        Ok(found)
    }

    fn parse(&mut self, input: ParseStream<'_>) -> Result<()> {
        while !input.is_empty() {
            let named = input.peek(Ident) && (input.peek2(Token![=]) || input.peek2(Token![,]) || single(input));
            if named {
                let name: Ident = input.parse()?;
                let value = if input.peek(Token![=]) {
                    input.parse::<Token![=]>()?;
                    Some(until_comma(input)?)
                } else {
                    None
                };
                match (name.to_string().as_str(), value) {
                    ("items", Some(value)) => self.items = Some(value),
                    ("chars", Some(value)) => self.chars = Some(value),
                    ("or", Some(value)) => self.default = Some(value),
                    ("unit", Some(value)) => self.unit = Some(value),
                    ("with", Some(value)) => self.with = Some(value),
                    ("null", None) => self.null = true,
                    ("result", None) => self.result = true,
                    (other, _) => {
                        return Err(syn::Error::new(name.span(), format!("shape has no '{other}' like this")));
                    }
                }
            } else {
                self.range = Some(until_comma(input)?);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }
}

/// Whether one word is all that is left.
fn single(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    fork.parse::<Ident>().is_ok() && fork.is_empty()
}

fn until_comma(input: ParseStream<'_>) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([TokenTree::parse(input)?]);
    }
    if tokens.is_empty() { Err(input.error("a value is missing")) } else { Ok(tokens) }
}

/// The first paragraph of a doc comment, in one line and without its full stop: messages put it into a sentence.
pub fn help(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let Meta::NameValue(meta) = &attribute.meta
            && let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &meta.value
        {
            let line = line.value();
            let line = line.trim();
            if line.is_empty() && !text.is_empty() {
                break;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(line);
        }
    }
    if text.ends_with('.') && !text.ends_with("..") {
        text.pop();
    }
    text
}

/// A name by one of serde's conventions.
pub fn renamed(name: &str, convention: Option<&str>) -> String {
    let snake = || {
        let mut out = String::new();
        for (at, c) in name.char_indices() {
            if c.is_uppercase() && at > 0 {
                out.push('_');
            }
            out.extend(c.to_lowercase());
        }
        out
    };
    match convention {
        Some("kebab-case") => snake().replace('_', "-"),
        Some("snake_case") => snake(),
        Some("lowercase") => name.to_lowercase(),
        _ => name.to_owned(),
    }
}
