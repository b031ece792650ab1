//! The shape of a type, as serde writes it.

use crate::attributes::{Says, Serde, help, renamed};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DataEnum, DeriveInput, Error, Field, Fields, GenericArgument, PathArguments, Result, Type};

pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let serde = Serde::read(&input.attrs)?;
    let says = Says::read(&input.attrs)?;
    let shape = match &input.data {
        _ if says.with.is_some() => refined(&says, quote!()),
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) if serde.transparent => {
                let field = fields.named.first().ok_or_else(|| Error::new_spanned(input, "there is no field"))?;
                refined(&says, of(&field.ty))
            }
            Fields::Named(fields) => {
                let fields = fields_of(fields.named.iter(), &serde, says.result)?;
                quote!(::flagplot_referee::record(#fields))
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => refined(&says, of(&fields.unnamed[0].ty)),
            Fields::Unnamed(fields) => {
                let items = fields.unnamed.iter().map(|field| {
                    let says = Says::read(&field.attrs)?;
                    Ok(refined(&says, of(&field.ty)))
                });
                let items = items.collect::<Result<Vec<_>>>()?;
                quote!(::flagplot_referee::tuple(vec![#(#items),*]))
            }
            Fields::Unit => return Err(Error::new_spanned(input, "a type without fields has no shape")),
        },
        Data::Enum(data) => of_enum(input, data, &serde, says.result)?,
        Data::Union(_) => return Err(Error::new_spanned(input, "a union has no shape")),
    };
    let (name, (generics, types, bounds)) = (&input.ident, input.generics.split_for_impl());
    Ok(quote! {
        impl #generics ::flagplot_referee::Shaped for #name #types #bounds {
            fn shape() -> ::flagplot_referee::Shape {
                #shape
            }
        }
    })
}

fn of(ty: &Type) -> TokenStream {
    quote!(<#ty as ::flagplot_referee::Shaped>::shape())
}

/// The shape with what the attribute adds to it.
fn refined(says: &Says, shape: TokenStream) -> TokenStream {
    let mut shape = says.with.clone().unwrap_or(shape);
    if let Some(range) = &says.range {
        shape = quote!(#shape.within(#range));
    }
    if let Some(items) = &says.items {
        shape = quote!(#shape.items(#items));
    }
    if let Some(chars) = &says.chars {
        shape = quote!(#shape.chars(#chars));
    }
    shape
}

/// What an `Option` holds.
fn optional(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
            Some(GenericArgument::Type(ty)) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}

/// The fields of a record, as an expression of type `Vec<Field>`.
fn fields_of<'a>(fields: impl Iterator<Item = &'a Field>, container: &Serde, result: bool) -> Result<TokenStream> {
    let mut parts = Vec::new();
    for field in fields {
        let serde = Serde::read(&field.attrs)?;
        let says = Says::read(&field.attrs)?;
        let Some(ident) = field.ident.as_ref().filter(|_| !serde.skip) else { continue };
        let inner = optional(&field.ty);
        if serde.flatten {
            let shape = of(inner.unwrap_or(&field.ty));
            let optional = inner.is_some();
            parts.push(quote!(fields.extend(#shape.into_fields(#optional));));
            continue;
        }
        let own = ident.to_string();
        let own = own.strip_prefix("r#").unwrap_or(&own);
        let name = serde.rename.clone().unwrap_or_else(|| renamed(own, container.rename_all.as_deref()));
        let text = help(&field.attrs);
        let null = says.null || (result && !serde.skip_if);
        let (ty, absent, nullable) = match inner {
            Some(inner) if null => (inner, false, true),
            Some(inner) => (inner, true, false),
            None => (&field.ty, result && serde.skip_if, false),
        };
        let mut shape = refined(&says, of(ty));
        if nullable {
            shape = quote!(::flagplot_referee::nullable(#shape));
        }
        let mut made = match &says.default {
            Some(value) => quote!(::flagplot_referee::or(#name, #shape, ::flagplot_referee::json!(#value), #text)),
            None if absent => quote!(::flagplot_referee::opt(#name, #shape, #text)),
            None => quote!(::flagplot_referee::req(#name, #shape, #text)),
        };
        if let Some(unit) = &says.unit {
            made = quote!(#made.unit(#unit));
        }
        parts.push(quote!(fields.push(#made);));
    }
    Ok(quote!({ let mut fields = Vec::new(); #(#parts)* fields }))
}

fn of_enum(input: &DeriveInput, data: &DataEnum, serde: &Serde, result: bool) -> Result<TokenStream> {
    let word = |variant: &syn::Variant| -> Result<String> {
        let own = Serde::read(&variant.attrs)?;
        Ok(own.rename.unwrap_or_else(|| renamed(&variant.ident.to_string(), serde.rename_all.as_deref())))
    };
    if data.variants.iter().all(|variant| matches!(variant.fields, Fields::Unit)) {
        let words = data.variants.iter().map(word).collect::<Result<Vec<_>>>()?;
        return Ok(quote!(::flagplot_referee::word(&[#(#words),*])));
    }
    if serde.untagged {
        let mut shapes = Vec::new();
        for variant in &data.variants {
            shapes.push(match &variant.fields {
                Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    let says = Says::read(&variant.attrs)?;
                    refined(&says, of(&fields.unnamed[0].ty))
                }
                Fields::Named(fields) => {
                    let fields = fields_of(fields.named.iter(), serde, result)?;
                    quote!(::flagplot_referee::record(#fields))
                }
                _ => return Err(Error::new_spanned(variant, "this kind of variant has no shape")),
            });
        }
        return Ok(quote!(::flagplot_referee::either(vec![#(#shapes),*])));
    }
    let Some(tag) = &serde.tag else {
        return Err(Error::new_spanned(input, "an enum with data needs #[serde(tag = …)] or #[serde(untagged)]"));
    };
    let text = help(&input.attrs);
    let mut kinds = Vec::new();
    for variant in &data.variants {
        let word = word(variant)?;
        let fields = match &variant.fields {
            Fields::Unit => quote!(Vec::new()),
            Fields::Named(fields) => {
                let mut container = Serde::read(&variant.attrs)?;
                container.rename = None;
                fields_of(fields.named.iter(), &container, result)?
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let shape = of(&fields.unnamed[0].ty);
                quote!(#shape.into_fields(false))
            }
            Fields::Unnamed(_) => return Err(Error::new_spanned(variant, "a tagged variant holds one struct")),
        };
        kinds.push(quote!((vec![#word], #fields)));
    }
    Ok(quote!(::flagplot_referee::tagged(#tag, #text, vec![#(#kinds),*])))
}
