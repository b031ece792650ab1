//! An enum of words.

use crate::attributes::renamed;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Fields, ItemEnum, LitStr, Result};

pub fn expand(mut item: ItemEnum) -> Result<TokenStream> {
    let mut words = Vec::new();
    for variant in &mut item.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(variant, "a word holds no data"));
        }
        let given = variant.attrs.iter().position(|attribute| attribute.path().is_ident("word"));
        words.push(match given {
            Some(at) => variant.attrs.remove(at).parse_args::<LitStr>()?.value(),
            None => renamed(&variant.ident.to_string(), Some("kebab-case")),
        });
    }
    let name = &item.ident;
    let variants: Vec<_> = item.variants.iter().map(|variant| &variant.ident).collect();
    Ok(quote! {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #item

        #[allow(dead_code, reason = "every set of words has the same ways in")]
        impl #name {
            /// Every value, in order.
            pub const ALL: &'static [#name] = &[#(#name::#variants),*];
            /// Every word, in order.
            pub const WORDS: &'static [&'static str] = &[#(#words),*];

            /// The word for it, as JSON has it.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { #(#name::#variants => #words),* }
            }
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl ::std::str::FromStr for #name {
            type Err = ::flagplot_referee::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    #(#words => Ok(#name::#variants),)*
                    _ => Err(::flagplot_referee::UnknownWord::new(word, #name::WORDS)),
                }
            }
        }

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <::std::borrow::Cow<'de, str> as ::serde::Deserialize>::deserialize(deserializer)?;
                word.parse().map_err(|_| ::serde::de::Error::unknown_variant(&word, #name::WORDS))
            }
        }

        impl ::flagplot_referee::Shaped for #name {
            fn shape() -> ::flagplot_referee::Shape {
                ::flagplot_referee::word(#name::WORDS)
            }
        }
    })
}
