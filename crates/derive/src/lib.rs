//! Macros that read a declaration once.
//!
//! - [`macro@Shaped`] turns a struct or an enum into a `Shape`: its fields with their help (the doc comment), range,
//!   unit and default. Parsing, JSON Schema, the terminal's questions and the browser's form come from that shape.
//! - [`macro@words`] gives an enum without data its kebab-case words: for JSON, for people and as a shape.
//!
//! Both are used through `flagplot_referee`, which holds the trait and the shapes.

mod attributes;
mod shaped;
mod words;

use proc_macro::TokenStream;

/// Derives `flagplot_referee::Shaped` from a type as serde writes it.
///
/// A field's doc comment is its help. `#[shape(…)]` on a field, or on a newtype, takes, in any order:
///
/// | attribute | means |
/// |---|---|
/// | `0..=40` | the range of a whole number, also of those in a list, a map or an option |
/// | `items = 1..=8` | how many items a list or a map holds |
/// | `chars = 60` | how long a text may be |
/// | `or = value` | what it is if it is left out, as `json!` takes it |
/// | `null` | an `Option` that may be given as null rather than left out |
/// | `unit = "mm"` | the unit, for forms |
/// | `with = expression` | the shape itself, where the type does not say it |
///
/// An `Option` may be left out. On a type, `#[shape(result)]` says that it is written and not read: an `Option` is then
/// null unless serde skips it. serde's `rename`, `rename_all`, `flatten`, `skip`, `tag`, `untagged` and `transparent`
/// are understood.
#[proc_macro_derive(Shaped, attributes(shape, serde))]
pub fn derive_shaped(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    shaped::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes an enum without data a set of words: `Copy`, comparable, with `ALL`, `WORDS`, `word()`, `Display`, `FromStr`,
/// serde and `Shaped`. A word is the variant's name in kebab-case unless `#[word("…")]` says otherwise.
#[proc_macro_attribute]
pub fn words(_: TokenStream, item: TokenStream) -> TokenStream {
    let item = syn::parse_macro_input!(item as syn::ItemEnum);
    words::expand(item).unwrap_or_else(|error| error.to_compile_error()).into()
}
